from copy import replace
