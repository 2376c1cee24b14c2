// Reads a response line by line as it comes; each line is JSON.

export async function readLines(body, show) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) show(JSON.parse(line));
  }
}
