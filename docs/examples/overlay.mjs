// Prints each record as it is submitted. Runs in Node 20 or later and in a browser, on a page of any site. With
// EventSource it would be shorter; fetch can send an access token, which me=true needs.
const site = globalThis.process?.env.SITE ?? 'http://localhost:8080/api/v1'
let last = globalThis.process?.env.AFTER ?? ''

async function read(show) {
  const answer = await fetch(`${site}/events?types=record`, { headers: last ? { 'Last-Event-ID': last } : {} })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  let text = ''
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text += piece).split('\n\n')
    text = blocks.pop()
    for (const block of blocks) {
      const field = (name) => block.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1]
      last = field('id') ?? last
      if (field('data')) show(field('event'), JSON.parse(field('data')))
    }
  }
}

for (;;) {
  await read((event, data) => console.log(event, data.recordId ?? '', data.finishTime ?? '')).catch(console.error)
  await new Promise((resolve) => setTimeout(resolve, 2000))
}
