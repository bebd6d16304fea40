import { render } from 'preact';
import { App } from './app/app.tsx';
import { showTheme, themeNow } from './app/theme.ts';
import './style/index.css';

showTheme(themeNow());
render(<App />, document.getElementById('page') as HTMLElement);
