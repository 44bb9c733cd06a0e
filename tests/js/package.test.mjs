import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PACKAGE = new URL('../../bindings/', import.meta.url);
const MANIFEST = JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8'));
const LICENCES = ['dist/LICENSE-APACHE', 'dist/LICENSE-MIT'];

const run = promisify(execFile);

/** Runs npm, which must not ask the network. */
function npm(cwd, ...args) {
  return run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd });
}

/** What a module names beside itself: other modules and the wasm file. */
function namedIn(path) {
  const source = readFileSync(new URL(path, PACKAGE), 'utf8');
  const names =
    /(?:\bfrom|\bimport) '\.\/([^']+)'|new URL\('(?:\.\/)?([^']+)', import\.meta\.url\)/g;
  return [...source.matchAll(names)].map(([, module, file]) => `dist/${module ?? file}`);
}

/** Everything that the entries need, found by following them. */
function neededFiles() {
  const conditions = Object.values(MANIFEST.exports).flatMap((entry) => Object.values(entry));
  const entries = conditions.filter((path) => path.startsWith('./')).map((path) => path.slice(2));
  const needed = new Set(['package.json', ...LICENCES, ...entries]);
  for (const path of needed) {
    if (path.endsWith('.js')) for (const name of namedIn(path)) needed.add(name);
  }
  return [...needed].sort();
}

/** A folder with the packed package installed. */
let scratch;
before(async (t) => {
  scratch = mkdtempSync(join(tmpdir(), 'turnwire-package-'));
  t.after(() => rmSync(scratch, { recursive: true }));
  const { stdout } = await npm(
    fileURLToPath(PACKAGE),
    'pack',
    '--json',
    '--pack-destination',
    scratch,
  );
  const [{ filename }] = JSON.parse(stdout);
  writeFileSync(join(scratch, 'package.json'), '{"private":true,"type":"module"}');
  await npm(scratch, 'install', join(scratch, filename));
});

test('the package has the files that its entries need, and no other', async () => {
  const { stdout } = await npm(fileURLToPath(PACKAGE), 'pack', '--dry-run', '--json');
  const [{ files }] = JSON.parse(stdout);
  assert.deepEqual(files.map(({ path }) => path).sort(), neededFiles());
});

test('the entries need what one would expect', () => {
  const needed = neededFiles();
  for (const path of [
    'dist/turnwire_js_bg.wasm',
    'dist/turnwire_js.js',
    'dist/stream.js',
    'dist/types.d.ts',
  ]) {
    assert.ok(needed.includes(path), path);
  }
});

for (const [entry, types] of [
  ['turnwire', 'types.d.ts'],
  ['turnwire/agentskit', 'agentskit.d.ts'],
]) {
  test(`the declared exports of ${entry} are the real ones`, async () => {
    const declarations = readFileSync(new URL(`js/${types}`, PACKAGE), 'utf8');
    const declared = [
      ...declarations.matchAll(/^export (?:(?:function|class|const) (\w+)|\{ (\w+) \})/gm),
    ];
    assert.deepEqual(
      Object.keys(await import(entry)).sort(),
      declared.map(([, name, again]) => name ?? again).sort(),
    );
  });
}

test('the installed package runs in Node', async () => {
  const program = `
    import { decodeLoopEvent, SseDecoder, TurnwireError } from 'turnwire';
    import manifest from 'turnwire/package.json' with { type: 'json' };
    const [{ data }] = new SseDecoder().push('data: {"type":"done","text":"Hi"}\\n\\n');
    const named = new TurnwireError({ code: 'closed', message: 'x' }).name;
    console.log(JSON.stringify([manifest.version, named, decodeLoopEvent(data).text]));
  `;
  writeFileSync(join(scratch, 'program.mjs'), program);
  const { stdout } = await run(process.execPath, ['--no-warnings', 'program.mjs'], {
    cwd: scratch,
  });
  assert.deepEqual(JSON.parse(stdout), [MANIFEST.version, 'TurnwireError', 'Hi']);
});

test('nothing but the entries can be imported from it', async () => {
  const program = "import 'turnwire/dist/turnwire_js.js';";
  const asked = run(process.execPath, ['--input-type=module', '-e', program], { cwd: scratch });
  await assert.rejects(asked, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
});

for (const [moduleResolution, module] of [
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
]) {
  test(`TypeScript finds the installed types with moduleResolution ${moduleResolution}`, async () => {
    const tsc = join(
      createRequire(import.meta.url).resolve('typescript/package.json'),
      '../bin/tsc',
    );
    const source =
      "import { sendMessage } from 'turnwire';\nconst { x } = await sendMessage('', '', '');\n";
    writeFileSync(join(scratch, 'program.ts'), source);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module,
      moduleResolution,
      types: [],
    };
    const config = JSON.stringify({ compilerOptions, files: ['program.ts'] });
    writeFileSync(join(scratch, 'tsconfig.json'), config);
    // The one fault is its own: a field that results do not have.
    await assert.rejects(run(process.execPath, [tsc], { cwd: scratch }), ({ stdout }) => {
      assert.match(stdout, /^program\.ts\(2,9\): error TS2339: Property 'x' does not exist/);
      assert.equal(stdout.trim().split('\n').length, 1, stdout);
      return true;
    });
  });
}
