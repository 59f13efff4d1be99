"""Files are opened and read in child processes with limits on time and memory."""
