process.stderr.write('broken-server: I die before I answer anything.\n');
process.exitCode = 3;
