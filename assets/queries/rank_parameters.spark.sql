-- Ranks the parameters of every definition by the calls of all sources, in Spark SQL. The views `calls` and `definitions`
-- are the folders of these names that `apidisc-tui facts` wrote; facts_job.py makes them.
-- freq = passed / (calls - hidden), as in api_metadata.yaml: a call whose arguments hide a parameter does not count.
WITH resolved AS (
    SELECT callee_source, callee, callee_number, params, hidden FROM calls WHERE resolution = 'resolved'
),
counted AS (
    SELECT callee_source, callee, callee_number, count(*) AS total_calls
    FROM resolved GROUP BY callee_source, callee, callee_number
),
passed AS (
    SELECT callee_source, callee, callee_number, parameter, count(*) AS passed
    FROM resolved LATERAL VIEW explode(params) AS parameter
    GROUP BY callee_source, callee, callee_number, parameter
),
unseen AS (
    SELECT callee_source, callee, callee_number, parameter, count(*) AS hidden_calls
    FROM resolved LATERAL VIEW explode(hidden) AS parameter
    GROUP BY callee_source, callee, callee_number, parameter
),
parameters AS (
    SELECT source AS callee_source, fqn AS callee, number AS callee_number, name, parameter, required
    FROM definitions LATERAL VIEW explode(parameters) AS parameter
)
SELECT callee_source AS source, callee AS fqn, callee_number AS number, name, parameter,
       array_contains(required, parameter) AS required, total_calls,
       coalesce(passed, 0) AS passed, coalesce(hidden_calls, 0) AS hidden,
       round(coalesce(passed, 0) / nullif(total_calls - coalesce(hidden_calls, 0), 0), 4) AS freq
FROM counted
JOIN parameters USING (callee_source, callee, callee_number)
LEFT JOIN passed USING (callee_source, callee, callee_number, parameter)
LEFT JOIN unseen USING (callee_source, callee, callee_number, parameter)
ORDER BY total_calls DESC, fqn, source, number, passed DESC, parameter
