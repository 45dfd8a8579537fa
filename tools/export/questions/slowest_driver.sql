-- Which driver is slowest on which family: of the kernels that at least two drivers ran (the same
-- code with the same group counts), the sum of each driver's medians against that of the best
-- driver of each kernel. Devices of software are left out: take that line away to have them in.
WITH placed AS (
  SELECT family, identity, kind, groups_x, groups_y, groups_z, device_name, driver, median_ns,
         ROW_NUMBER() OVER (PARTITION BY family, identity, kind, groups_x, groups_y, groups_z,
                            device_name, driver ORDER BY median_ns) AS place,
         COUNT(*) OVER (PARTITION BY family, identity, kind, groups_x, groups_y, groups_z,
                        device_name, driver) AS runs
  FROM kernels
  WHERE median_ns > 0 AND identity IS NOT NULL AND family IS NOT NULL AND NOT only_first_use
    AND NOT software
), medians AS (
  SELECT family, identity, kind, groups_x, groups_y, groups_z, device_name, driver,
         AVG(median_ns) AS median_ns
  FROM placed
  WHERE 2 * place BETWEEN runs AND runs + 2
  GROUP BY family, identity, kind, groups_x, groups_y, groups_z, device_name, driver
), shared AS (
  SELECT *,
         MIN(median_ns) OVER (PARTITION BY family, identity, kind, groups_x, groups_y,
                              groups_z) AS best_ns,
         COUNT(*) OVER (PARTITION BY family, identity, kind, groups_x, groups_y,
                        groups_z) AS drivers
  FROM medians
), totals AS (
  SELECT family, device_name, driver, COUNT(*) AS kernels,
         ROUND(SUM(median_ns) / SUM(best_ns), 3) AS times_the_best
  FROM shared
  WHERE drivers >= 2
  GROUP BY family, device_name, driver
), ranked AS (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY family
                               ORDER BY times_the_best DESC, device_name, driver) AS place
  FROM totals
)
SELECT family, device_name, driver, kernels, times_the_best
FROM ranked
WHERE place = 1
ORDER BY family;
