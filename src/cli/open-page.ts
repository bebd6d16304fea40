import { openAddress } from '../sandbox/open-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens an address where a person sits before a screen of this machine, and nowhere else. */
export function openInBrowser(
  address: string,
  { env, stderr }: { readonly env: NodeJS.ProcessEnv; readonly stderr: { readonly isTTY?: boolean } },
): void {
  if (stderr.isTTY && hasScreen(env)) openAddress(address, env);
}

/** Elsewhere a browser would open for nobody, or one in the terminal would take the place of what runs there. */
export function hasScreen(env: Environment, platform = process.platform): boolean {
  if (env.CI || isRemote(env)) return false;
  return platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
}

const isRemote = (env: Environment): boolean => Boolean(env.SSH_CONNECTION || env.SSH_TTY);

/** The page of another machine is reached through a tunnel, which must have the same port on both ends. */
export const tunnelHint = (port: number, env: Environment): string[] =>
  isRemote(env) ? [`  from your own machine: ssh -L ${port}:127.0.0.1:${port} HOST`] : [];
