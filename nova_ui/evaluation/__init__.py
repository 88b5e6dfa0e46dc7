"""How well a model does what people ask: requests and tasks on a throw-away organisation."""
