"""Several documents become aligned evidence; may import retrieve."""
