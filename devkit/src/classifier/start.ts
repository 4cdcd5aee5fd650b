/** Runs the classifier adapter: `CLASSIFIER_SECRET=… MODEL_URL=http://127.0.0.1:11434/v1 MODEL=qwen3:8b bun devkit/src/classifier/start.ts` (docs/content-classifier.md). */

import { createClassifierAdapter } from './classifier-adapter.ts';

const needed = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') {
    console.error(`${name} must be set: see docs/content-classifier.md`);
    process.exit(2);
  }
  return value;
};

const server = Bun.serve({
  hostname: process.env['HOST'] ?? '127.0.0.1',
  port: Number(process.env['PORT'] ?? 8790),
  fetch: createClassifierAdapter({
    secret: needed('CLASSIFIER_SECRET'),
    modelUrl: needed('MODEL_URL'),
    model: needed('MODEL'),
    apiKey: process.env['MODEL_API_KEY'],
    ...(process.env['TIMEOUT_MS'] === undefined ? {} : { timeoutMs: Number(process.env['TIMEOUT_MS']) }),
    report: (line) => console.error(line),
  }),
});
console.log(`classifier adapter listens on ${server.url}`);
