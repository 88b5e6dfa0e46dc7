"""The built-in model: understands short requests by declared phrases, without weights, network or chance."""
