"""Makes the facts of many repositories with Spark, a task per repository, and ranks the parameters of all.

    spark-submit facts_job.py SOURCES.yaml LIBRARY DIR

SOURCES.yaml lists a library and its consumers, as `apidisc-tui index --config` reads them, with a `name` each. Every task
runs `apidisc-tui facts` for the library and one consumer. Partitions that are there and whole are kept, so a job that was
stopped is started again. DIR has to be a folder that all executors reach under the same path, and so have relative paths
in SOURCES.yaml, which start at its folder. The environment variable APIDISC names the program.
"""

import json
import os
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession


def make_facts(job):
    """Runs the program for the sources of one job: (name, its sources, library, folder, program)."""
    name, sources, library, folder, program = job
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
        json.dump({"sources": sources}, config)
        config.flush()
        command = [program, "facts", "--config", config.name, "--library", library, "-o", folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return name, done.returncode, done.stderr.strip()


def open_views(spark, folder):
    """Makes a view of each table. Names of sources are texts, even those that look like numbers."""
    spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    for table in ("definitions", "calls", "reads", "ledger"):
        spark.read.parquet(os.path.join(folder, table)).createOrReplaceTempView(table)


def ranking(spark, folder):
    """The rows of rank_parameters.spark.sql."""
    open_views(spark, folder)
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "rank_parameters.spark.sql"), encoding="utf-8") as query:
        return spark.sql(query.read())


def absolute(source, base):
    """The source with an absolute path, if its URL is a path."""
    url = source["url"]
    is_remote = "://" in url or ("@" in url and ":" in url)
    return source if is_remote else {**source, "url": os.path.join(base, os.path.expanduser(url))}


def main():
    import yaml

    config, library, folder = sys.argv[1:]
    base, folder = os.path.dirname(os.path.abspath(config)), os.path.abspath(folder)
    with open(config, encoding="utf-8") as text:
        sources = [absolute(source, base) for source in yaml.safe_load(text)["sources"]]
    kit = [source for source in sources if source["name"] == library]
    program = os.environ.get("APIDISC", "apidisc-tui")
    others = [source for source in sources if source["name"] != library]
    # The first job makes the library's partition, so that no two tasks write the same files.
    jobs = [(source["name"], kit + [source], library, folder, program) for source in others]
    spark = SparkSession.builder.appName("facts").getOrCreate()
    outcomes = [make_facts(job) for job in jobs[:1]]
    if jobs[1:]:
        outcomes += spark.sparkContext.parallelize(jobs[1:], len(jobs) - 1).map(make_facts).collect()
    failed = [(name, message) for name, code, message in outcomes if code != 0]
    for name, message in failed:
        print(f"{name}: {message}", file=sys.stderr)
    ranking(spark, folder).show(40, truncate=False)
    spark.stop()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
