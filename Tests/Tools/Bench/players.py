"""All players, in the order of the table."""

from jackdaw import Jackdaw
from peers import MPD, MPV, Mpg123
from player import Player, Setting

ALL = (Jackdaw, Mpg123, MPD, MPV)

__all__ = ["ALL", "MPD", "MPV", "Jackdaw", "Mpg123", "Player", "Setting"]
