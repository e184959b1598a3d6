"""Checks that DuckDB, Spark and the program's own fold count the same: agreement.py PROGRAM

On the demo, and on generated repositories whose facts a Spark job makes.
"""

import os
import subprocess
import sys
import tempfile

import duckdb
import yaml
from pyspark.sql import SparkSession

HERE = os.path.dirname(os.path.abspath(__file__))
QUERIES = os.path.join(HERE, "../../assets/queries")
sys.path.insert(0, QUERIES)
import facts_job  # noqa: E402

COLUMNS = ["source", "fqn", "number", "parameter", "required", "total_calls", "passed", "hidden", "freq"]


def run(*command):
    subprocess.run(command, check=True)


def from_duckdb(folder):
    with open(os.path.join(QUERIES, "rank_parameters.duckdb.sql"), encoding="utf-8") as query:
        text = query.read()
    before = os.getcwd()
    os.chdir(folder)
    try:
        answer = duckdb.sql(text)
        names = answer.columns
        found = answer.fetchall()
    finally:
        os.chdir(before)
    return sorted((tuple(row[names.index(name)] for name in COLUMNS) for row in found), key=repr)


def from_spark(spark, folder):
    found = facts_job.ranking(spark, folder).select(COLUMNS).collect()
    return sorted((tuple(row) for row in found), key=repr)


def entries(tree, prefix=""):
    """Every called definition of api_metadata.yaml, by FQN."""
    for key, entry in tree.items():
        if key.startswith("$"):
            continue
        fqn = entry.get("fqn", prefix + key)
        yield fqn, entry
        yield from entries(entry.get("members", {}), fqn + ".")


def from_program(program, folder, work):
    """The rows of the fold whose FQNs are unique: (fqn, parameter, calls, passed, hidden, freq)."""
    path = os.path.join(work, "folded.yaml")
    run(program, "index", "--facts", folder, "--min-usage-threshold", "0", "-o", path)
    with open(path, encoding="utf-8") as text:
        # Keys are texts: a reader of YAML 1.1 would take a parameter called `on` for true.
        tree = yaml.load(text, Loader=yaml.CBaseLoader)
    found = set()
    for fqn, entry in entries(tree):
        arguments = entry.get("init_args") or entry.get("args") or {}
        calls = int(entry["total_calls"])
        if calls > 0:
            for name, counts in arguments.items():
                freq = None if counts.get("freq", "null") == "null" else float(counts["freq"])
                found.add((fqn, name, calls, int(counts["count"]), int(counts.get("unknown", 0)), freq))
    return found


def check(spark, program, folder, work):
    duck, sparks = from_duckdb(folder), from_spark(spark, folder)
    assert duck, "no rows"
    assert duck == sparks, [pair for pair in zip(duck, sparks) if pair[0] != pair[1]][:5]
    rows_of = {(fqn, name, calls, passed, hidden, freq) for _, fqn, _, name, _, calls, passed, hidden, freq in duck}
    ours = from_program(program, folder, work)
    assert rows_of == ours, sorted(rows_of ^ ours, key=repr)[:10]
    print(f"{len(duck)} parameters agree in {folder}", flush=True)


def main():
    program = os.path.abspath(sys.argv[1])
    os.environ["APIDISC"], os.environ["APIDISC_CACHE"] = program, "off"
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    checks = 0
    with tempfile.TemporaryDirectory() as work:
        demo = os.path.join(work, "demo")
        run(program, "facts", "--demo", "-o", demo)
        check(spark, program, demo, work)
        checks += 1
        made = os.path.join(work, "made")
        run(sys.executable, os.path.join(HERE, "generate.py"), made, "12")
        config, together = os.path.join(made, "sources.yaml"), os.path.join(work, "together")
        run(program, "facts", "--config", config, "-o", together)
        check(spark, program, together, work)
        checks += 1
        spark.stop()
        apart = os.path.join(work, "apart")
        run(sys.executable, os.path.join(QUERIES, "facts_job.py"), config, "kit", apart)
        # The fold of partitions that were made one by one is the index of all sources together.
        for facts, text in ((apart, "apart.yaml"), (together, "together.yaml")):
            run(program, "index", "--facts", facts, "-o", os.path.join(work, text))
        run(program, "index", "--config", config, "-o", os.path.join(work, "all.yaml"))
        texts = [open(os.path.join(work, name), "rb").read() for name in ("apart.yaml", "together.yaml", "all.yaml")]
        # Facts hold no code, so the fold has no typical calls.
        texts[2] = b"".join(line for line in texts[2].splitlines(True) if not line.lstrip().startswith(b"typical_call: "))
        assert texts[0] == texts[2], "partitions made apart differ"
        assert texts[1] == texts[2], "partitions made together differ"
        checks += 1
    print(f"{checks} passed, 0 failed")


main()
