-- Which jobs fell back to the CPU: runs that executed work on a device of software, with the share
-- of it, how many devices of hardware they had open without using them, and how many other runs of
-- the same program did all their work on hardware: where there are such, it fell back.
WITH jobs AS (
  SELECT profile_id, run_id, sequence, started_unix_ns, executable, commit_tag, device_name,
         executions, software_executions
  FROM runs
  WHERE executions > 0
), idle AS (
  SELECT profile_id, COUNT(*) AS devices
  FROM devices
  WHERE NOT software AND executions = 0
  GROUP BY profile_id
), programs AS (
  SELECT executable, SUM(CASE WHEN software_executions = 0 THEN 1 ELSE 0 END) AS hardware_runs
  FROM jobs
  GROUP BY executable
)
SELECT jobs.run_id, jobs.sequence, jobs.executable AS executable, jobs.commit_tag, jobs.device_name,
       jobs.software_executions, jobs.executions,
       ROUND(100.0 * jobs.software_executions / jobs.executions, 1) AS software_percent,
       COALESCE(idle.devices, 0) AS idle_hardware_devices,
       CAST(programs.hardware_runs AS BIGINT) AS hardware_runs_of_program
FROM jobs
JOIN programs ON programs.executable = jobs.executable
LEFT JOIN idle ON idle.profile_id = jobs.profile_id
WHERE jobs.software_executions > 0
ORDER BY jobs.started_unix_ns, jobs.run_id, jobs.sequence;
