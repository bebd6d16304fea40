// Builds dist/: the command line as one file with everything in it, the library as one file beside its packages.
import { mkdir, rename, writeFile } from 'node:fs/promises';
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
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli.js',
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    legalComments: 'none',
    // Packages that were written for require() find it here.
    banner: {
      js: "import { createRequire as pawlCreateRequire } from 'node:module'; const require = pawlCreateRequire(import.meta.url);",
    },
  }),
  build({ ...shared, entryPoints: ['src/index.ts'], outfile: 'dist/index.js', packages: 'external' }),
]);

// Put in place whole: a process that starts in this moment finds the old file or the new one.
for (const { path: file, contents } of results.flatMap((result) => result.outputFiles)) {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, contents, { mode: file.endsWith('cli.js') ? 0o755 : 0o644 });
  await rename(temporary, file);
}
