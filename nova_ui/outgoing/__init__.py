"""The one way out of Nova to systems that an administrator names: which addresses, and a guarded call to them."""
