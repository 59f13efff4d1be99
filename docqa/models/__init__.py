"""Neural networks on this machine: found, checked, fetched, exported and run."""
