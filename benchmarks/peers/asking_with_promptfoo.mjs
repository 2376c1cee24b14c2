// Asks a provider for the cases of a file with promptfoo and grades the answers; prints seconds.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const require = createRequire(`${folder}/anywhere.js`);
const { default: promptfoo } = await import(pathToFileURL(require.resolve('promptfoo')));
const { address, in_flight: inFlight, instructions, questions, checks } = JSON.parse(readFileSync(file, 'utf8'));
const [contains, length] = checks;

const began = performance.now();
const done = await promptfoo.evaluate(
  {
    prompts: [JSON.stringify([{ role: 'system', content: instructions }, { role: 'user', content: '{{question}}' }])],
    providers: [{ id: 'openai:chat:small-1', config: { apiBaseUrl: address, apiKey: 'bench' } }],
    defaultTest: {
      assert: [
        { type: 'icontains', value: contains.value },
        { type: 'word-count', value: { max: length.max } },
      ],
    },
    tests: questions.map((question) => ({ vars: { question } })),
  },
  { maxConcurrency: inFlight, cache: false, showProgressBar: false },
);
const seconds = (performance.now() - began) / 1000;
const summary = done.toEvaluateSummary ? await done.toEvaluateSummary() : done;
console.log(JSON.stringify({ seconds, passed: summary.stats.successes }));
process.exit(0);
