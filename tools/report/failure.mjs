/** A problem that the person at the terminal can solve; its message is one sentence that says how. */
export class Failure extends Error {}

/** Runs a command's `main` and turns what it throws into one sentence and an exit code. */
export async function runMain(main) {
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? 0;
  } catch (error) {
    const text = error instanceof Failure ? error.message : (error.stack ?? String(error));
    process.stderr.write(`\n${text}\n`);
    process.exitCode = 1;
  }
}
