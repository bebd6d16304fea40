// Builds dist/: the command line with everything in it, cut so that heavy packages are read only when they are used;
// the library as one file beside its packages; the page of the visualizer.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.12',
  logLevel: 'warning',
  write: false,
};

const results = await Promise.all([
  build({
    ...shared,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Whoever wants it installs it.
    external: ['@statelyai/inspect', '@restatedev/restate-sdk', '@restatedev/restate-sdk-clients'],
    // Packages that were written for require() find it here.
    banner: {
      js: "import { createRequire as pawlCreateRequire } from 'node:module'; const require = pawlCreateRequire(import.meta.url);",
    },
  }),
  build({ ...shared, entryPoints: ['src/index.ts'], outfile: 'dist/index.js', packages: 'external' }),
]);

const files = results.flatMap((result) => result.outputFiles);
const chunks = files.filter((file) => file.path.includes('/chunks/'));

// Put in place whole, and what is imported before what imports it: a process that starts in this moment finds the old
// program or the new one.
for (const { path: file, contents } of [...chunks, ...files.filter((one) => !chunks.includes(one))]) {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, contents, { mode: file.endsWith('/cli.js') ? 0o755 : 0o644 });
  await rename(temporary, file);
}
const wanted = new Set(chunks.map((chunk) => path.basename(chunk.path)));
for (const name of await readdir('dist/chunks'))
  if (name.endsWith('.js') && !wanted.has(name)) await rm(path.join('dist/chunks', name), { force: true });

// The page takes longest, so it is built only where something that it is made of is newer.
const PAGE = 'dist/visualizer/index.html';
const PAGE_SOURCES = ['visualizer', 'machines', 'src/journal', 'src/inspector'];
const newest = (folder) =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs),
  );
const isStale = () => !existsSync(PAGE) || Math.max(...PAGE_SOURCES.map(newest)) > statSync(PAGE).mtimeMs;
if (existsSync('visualizer') && isStale())
  execFileSync('npm', ['run', '--silent', 'build:page'], { stdio: ['ignore', 'ignore', 'inherit'] });
