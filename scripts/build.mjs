// Builds dist/: the command line as one file with everything in it, the library as one file beside its packages.
import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.12',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
};

await rm('dist', { recursive: true, force: true });
await Promise.all([
  build({
    ...shared,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli.js',
    minifySyntax: true,
    // Packages that were written for require() find it here.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as pawlCreateRequire } from 'node:module';\nconst require = pawlCreateRequire(import.meta.url);",
    },
  }),
  build({ ...shared, entryPoints: ['src/index.ts'], outfile: 'dist/index.js', packages: 'external' }),
]);
await chmod('dist/cli.js', 0o755);
