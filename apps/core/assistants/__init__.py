"""What an assistant may do in a store: tools of the Model Context Protocol over the HTTP API."""
