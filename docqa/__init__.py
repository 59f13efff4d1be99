"""docqa: ask and compare PDFs on your own machine, with every source checked."""
