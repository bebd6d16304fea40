// Builds dist/visualizer/: the page as a folder that any web server can host (all addresses in it are relative), and
// export.html, which has everything in itself and takes the records of one run.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';

// Whoever calls may have it set otherwise, and then the page would get what libraries hold for development.
process.env.NODE_ENV = 'production';

const OUT = 'dist/visualizer';

/** The player shows the source of the states; what stands above them in the files is not needed for it. */
const statesOnly = {
  name: 'states-only',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('.ts?raw')) return undefined;
    const source = await readFile(id.slice(0, -'?raw'.length), 'utf8');
    return `export default ${JSON.stringify(source.slice(source.indexOf('export const')))}`;
  },
};

/** Vite wraps each lazy import in a loader of styles and preloads, of which this page has none. */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  resolveId: (id) => (id === PRELOADER ? id : undefined),
  load: (id) => (id === PRELOADER ? 'export const __vitePreload = (load) => load();' : undefined),
};
const PRELOADER = '\0vite/preload-helper.js';

/** @param rolldownOptions what is built, and into what */
const built = async (rolldownOptions) => {
  const { output } = await build({
    configFile: false,
    root: 'visualizer',
    base: './',
    logLevel: 'warn',
    plugins: [statesOnly, plainImports],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      copyPublicDir: false,
      cssCodeSplit: false,
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: { checks: { pluginTimings: false }, ...rolldownOptions },
    },
  });
  return output;
};
const textIn = (output, name) => {
  const found = output.find(({ fileName }) => fileName === name);
  if (found === undefined)
    throw new Error(`the build made no ${name}, but ${output.map(({ fileName }) => fileName).join(', ')}`);
  return found.code ?? found.source.toString();
};

/** What is fetched when it is wanted; all else is one file. Left to itself, the builder would cut that into small ones. */
const LATER =
  /\/(demo|runs|compare)(\/|\.css)|\/chart\/(details|export-svg)|\/film\/(facts|verdicts)|\/gauges\/(figures|bars)|\/journal\/compare|\/add-style|\/control\/approvals|\?raw$/;
const served = await built({
  output: {
    entryFileNames: 'page.js',
    chunkFileNames: '[name].js',
    assetFileNames: '[name][extname]',
    codeSplitting: { groups: [{ name: 'page', test: (id) => !LATER.test(id) }] },
  },
});
const [html, style] = [textIn(served, 'index.html'), textIn(served, 'style.css')];
// A file has nothing beside it that could be loaded later.
const alone = await built({
  input: 'visualizer/exported.tsx',
  output: { entryFileNames: 'exported.js', codeSplitting: false },
});
const script = textIn(alone, 'exported.js');

// Only these two texts may run or style in an exported page, whatever else is written into it.
const hashOf = (content) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
const inlined = script.replaceAll('</script', '<\\/script');
const policy = `default-src 'none'; script-src ${hashOf(inlined)}; style-src ${hashOf(style)}; img-src data: blob:`;
const exported = html
  .replace(/\s*<link rel="icon"[^>]*>/, '')
  .replace(
    '<meta charset="utf-8" />',
    (meta) => `${meta}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  )
  .replace(/<script type="module"[^>]*><\/script>/, '')
  .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
  .replace(
    '</body>',
    () =>
      `<script type="application/json" id="pawl-records"></script>\n<script type="module">${inlined}</script>\n  </body>`,
  );

const files = {
  'favicon.svg': await readFile('visualizer/public/favicon.svg', 'utf8'),
  ...Object.fromEntries(served.map(({ fileName }) => [fileName, textIn(served, fileName)])),
  'export.html': exported,
  'index.html': html,
};
// Put in place whole, and what is referred to before what refers to it.
await mkdir(OUT, { recursive: true });
for (const [name, content] of Object.entries(files)) {
  const file = path.join(OUT, name);
  await writeFile(`${file}.${process.pid}`, content);
  await rename(`${file}.${process.pid}`, file);
}
// What an older page was made of. What another builder has not put in place yet has a number at its end.
for (const name of await readdir(OUT))
  if (/\.(js|css|html|svg)$/.test(name) && !(name in files)) await rm(path.join(OUT, name), { force: true });
