-- Which kernel regressed when: kernels whose median rose by more than 5 % from one commit (tag
-- commit; where a run has none, its day) to the next of the same environment, with three runs each.
-- A median over runs of the runs' medians; vkmeter compare tells whether it is more than noise.
WITH observed AS (
  SELECT segment_key, device_name, driver, match_key, kind, groups_x, groups_y, groups_z, phase,
         COALESCE(commit_tag, CAST(CAST((started_unix_ns - started_unix_ns % 86400000000000)
                                        / 86400000000000 AS BIGINT) AS VARCHAR)) AS build,
         started_unix_ns, median_ns
  FROM kernels
  WHERE median_ns IS NOT NULL AND NOT only_first_use
), placed AS (
  SELECT *,
         ROW_NUMBER() OVER (PARTITION BY segment_key, device_name, driver, match_key, kind, groups_x,
                            groups_y, groups_z, phase, build ORDER BY median_ns) AS place,
         COUNT(*) OVER (PARTITION BY segment_key, device_name, driver, match_key, kind, groups_x,
                        groups_y, groups_z, phase, build) AS runs,
         MIN(started_unix_ns) OVER (PARTITION BY segment_key, device_name, driver, match_key, kind,
                                    groups_x, groups_y, groups_z, phase, build) AS since_unix_ns
  FROM observed
), medians AS (
  SELECT segment_key, device_name, driver, match_key, kind, groups_x, groups_y, groups_z, phase,
         build, runs, since_unix_ns, AVG(median_ns) AS median_ns
  FROM placed
  WHERE 2 * place BETWEEN runs AND runs + 2
  GROUP BY segment_key, device_name, driver, match_key, kind, groups_x, groups_y, groups_z, phase,
           build, runs, since_unix_ns
), steps AS (
  SELECT *,
         LAG(build) OVER (PARTITION BY segment_key, device_name, driver, match_key, kind, groups_x,
                          groups_y, groups_z, phase ORDER BY since_unix_ns, build) AS build_before,
         LAG(runs) OVER (PARTITION BY segment_key, device_name, driver, match_key, kind, groups_x,
                         groups_y, groups_z, phase ORDER BY since_unix_ns, build) AS runs_before,
         LAG(median_ns) OVER (PARTITION BY segment_key, device_name, driver, match_key, kind,
                              groups_x, groups_y, groups_z, phase
                              ORDER BY since_unix_ns, build) AS median_before_ns
  FROM medians
)
SELECT match_key AS kernel, groups_x, groups_y, groups_z, phase, device_name, driver, build_before,
       build, since_unix_ns, ROUND(median_before_ns, 1) AS median_before_ns,
       ROUND(median_ns, 1) AS median_ns,
       ROUND(100 * (median_ns / median_before_ns - 1), 1) AS slower_percent
FROM steps
WHERE runs >= 3 AND runs_before >= 3 AND median_ns > 1.05 * median_before_ns
ORDER BY since_unix_ns, kernel, groups_x, groups_y, groups_z, phase, device_name, driver;
