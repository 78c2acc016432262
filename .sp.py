import kibitz, time, sys
from benchmarks import playouts

for name, b in (("holdem:players=2,hands=1", 20000), ("holdem", 500), ("kuhn", 20000)):
    g = kibitz.game(name)
    p = playouts.compiled(g, b)
    best = 0
    for _ in range(8):
        t = time.process_time()
        n, st = p()
        dt = time.process_time() - t
        best = max(best, n / dt)
    print(f"{name}: best {best / 1e3:.1f} k games/s, {st / n:.2f} steps")
