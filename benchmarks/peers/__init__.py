"""The obvious programs: each game as one would first write it, from its rules alone.

They are what Kibitz is measured against and, being independent of it, what its rules are tested against.
Read them to see what a game looks like before anybody thinks about speed.
"""
