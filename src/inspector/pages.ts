/** The built page: files that are listed once and served by these names alone. */
import { readdirSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Where the build puts the page, seen from this file in src/ and in dist/chunks/ alike. */
export const PAGE_FOLDER = path.resolve(import.meta.dirname, '../../dist/visualizer');

/** What a run is exported with; of no use to a browser that is connected. */
export const EXPORT_PAGE = 'export.html';

export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

export class Pages {
  readonly #files: ReadonlyMap<string, string>;

  constructor(folder = PAGE_FOLDER) {
    this.#files = new Map(filesIn(folder).map((file) => [`/${file}`, path.join(folder, file)]));
  }

  /** @param name path of the address. undefined: there is no such file */
  async find(name: string): Promise<PageFile | undefined> {
    const file = this.#files.get(name === '/' ? '/index.html' : name);
    const type = TYPES[path.extname(file ?? '')];
    return file === undefined || type === undefined ? undefined : { type, content: await fs.readFile(file) };
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== EXPORT_PAGE)
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
