"""The locks of Nova's own writes; see `storage.locks`."""

from storage.locks import share_lock, take_lock

__all__ = ["share_lock", "take_lock"]
