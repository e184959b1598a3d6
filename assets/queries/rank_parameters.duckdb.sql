-- Ranks the parameters of every definition by the calls of all sources. Run in the folder that `apidisc-tui facts` wrote:
--   duckdb < rank_parameters.duckdb.sql
-- freq = passed / (calls - hidden), as in api_metadata.yaml: a call whose arguments hide a parameter does not count.
WITH resolved AS (
    SELECT callee_source, callee, callee_number, params, hidden
    FROM read_parquet('calls/*/*.parquet', hive_partitioning = true)
    WHERE resolution = 'resolved'
),
calls AS (
    SELECT callee_source, callee, callee_number, count(*) AS total_calls FROM resolved GROUP BY ALL
),
passed AS (
    SELECT callee_source, callee, callee_number, parameter, count(*) AS passed
    FROM (SELECT callee_source, callee, callee_number, unnest(params) AS parameter FROM resolved) GROUP BY ALL
),
unseen AS (
    SELECT callee_source, callee, callee_number, parameter, count(*) AS hidden_calls
    FROM (SELECT callee_source, callee, callee_number, unnest(hidden) AS parameter FROM resolved) GROUP BY ALL
),
parameters AS (
    SELECT source AS callee_source, fqn AS callee, number AS callee_number, name,
           unnest(parameters) AS parameter, required
    FROM read_parquet('definitions/*/*.parquet', hive_partitioning = true, hive_types_autocast = false)
)
SELECT callee_source AS source, callee AS fqn, callee_number AS number, name, parameter,
       list_contains(required, parameter) AS required, total_calls,
       coalesce(passed, 0) AS passed, coalesce(hidden_calls, 0) AS hidden,
       round(coalesce(passed, 0) / nullif(total_calls - coalesce(hidden_calls, 0), 0), 4) AS freq
FROM calls
JOIN parameters USING (callee_source, callee, callee_number)
LEFT JOIN passed USING (callee_source, callee, callee_number, parameter)
LEFT JOIN unseen USING (callee_source, callee, callee_number, parameter)
ORDER BY total_calls DESC, fqn, source, number, passed DESC, parameter;
