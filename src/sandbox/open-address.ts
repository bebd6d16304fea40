/** Opens an address in the person's browser. */
import { execa } from 'execa';
import { childEnvironment } from './environment.ts';

/** What a browser needs to find the screen, beside what every child gets: still no keys of this process. */
const SCREEN = [
  'BROWSER',
  'DBUS_SESSION_BUS_ADDRESS',
  'DESKTOP_SESSION',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'WSL_DISTRO_NAME',
  'WSL_INTEROP',
  'XAUTHORITY',
  'XDG_CONFIG_DIRS',
  'XDG_CURRENT_DESKTOP',
  'XDG_DATA_DIRS',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
];

/** Waits for nothing, and a failure is no matter: the address is printed as well. The browser outlives this process. */
export function openAddress(address: string, environment: NodeJS.ProcessEnv = process.env): void {
  const screen = SCREEN.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]] as const],
  );
  const child = execa(process.platform === 'darwin' ? 'open' : 'xdg-open', [address], {
    env: { ...childEnvironment(environment), ...Object.fromEntries(screen) },
    extendEnv: false,
    detached: true,
    cleanup: false,
    stdio: 'ignore',
    reject: false,
  });
  child.unref();
}
