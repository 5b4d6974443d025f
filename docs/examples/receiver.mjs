// Receives webhooks, verifies them, and prints each event once. Runs in Node 20 or later, behind a proxy that has the
// certificate: caddy reverse-proxy --from receiver.example --to :8081
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from(process.env.SECRET.replace('whsec_', ''), 'base64')
const seen = new Set() // the ids of the last events

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false
  const want = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const got = Buffer.from(signature.replace('v1,', ''), 'base64')
    return got.length === want.length && timingSafeEqual(got, want)
  })
}

createServer(async (request, response) => {
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  const signed = isSigned(request.headers, body)
  response.writeHead(signed ? 204 : 400).end()
  const id = request.headers['webhook-id']
  if (!signed || seen.has(id)) return
  seen.add(id)
  if (seen.size > 1000) seen.delete(seen.values().next().value)
  const { type, data } = JSON.parse(body)
  console.log(type, data.recordId ?? '', data.finishTime ?? '')
}).listen(process.env.PORT ?? 8081, () => console.log('ready'))
