def f(a):
  """ open
 f(f(f(
   class