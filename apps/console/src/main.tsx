/** Entry point of the console. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { applyScheme, keptScheme } from './frame/color-scheme.ts';
import './styles.css';

applyScheme(keptScheme());
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
