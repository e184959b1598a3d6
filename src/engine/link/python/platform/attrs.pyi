from attr import evolve
