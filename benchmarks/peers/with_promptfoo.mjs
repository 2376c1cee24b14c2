// Grades the answers of a file with promptfoo's assertions, where its packages are; prints answers a second.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [file, folder] = process.argv.slice(2);
const require = createRequire(`${folder}/anywhere.js`);
const { default: promptfoo } = await import(pathToFileURL(require.resolve('promptfoo')));
const { answers, checks } = JSON.parse(readFileSync(file, 'utf8'));
const [contains, containsNot, pattern, schema, length] = checks;
const assert = [
  { type: 'icontains', value: contains.value },
  { type: 'not-icontains', value: containsNot.value },
  { type: 'regex', value: pattern.value },
  { type: 'is-json', value: schema.schema },
  { type: 'word-count', value: { max: length.max } },
];

const grade = (output) =>
  promptfoo.assertions.runAssertions({ prompt: '', providerResponse: { output }, test: { assert, vars: {} } });

await grade(answers[0]);
let passed = 0;
const began = performance.now();
for (const answer of answers) {
  const result = await grade(answer);
  passed += result.componentResults.filter((one) => one.pass).length;
}
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ rate: answers.length / seconds, passed }));
process.exit(0);
