'use strict'

const link = location.pathname.replace(/\/$/, '')
const kept = `visit of ${link}`
const pollEvery = 1000 // milliseconds

const element = (id) => document.getElementById(id)
const form = element('join')

// Who this page has put into the room: {visit, name}, or null. It outlives a
// reload of the page, as a seat in the game's room would.
let guestOfPage = JSON.parse(sessionStorage.getItem(kept))
let open = true
let shown = 0

function remember(visitor) {
  guestOfPage = visitor
  if (visitor) sessionStorage.setItem(kept, JSON.stringify(visitor))
  else sessionStorage.removeItem(kept)
  show()
}

function show() {
  element('closed').hidden = open
  element('door').hidden = !open || guestOfPage !== null
  element('room').hidden = !open || guestOfPage === null
  element('who').textContent = guestOfPage?.name ?? ''
}

async function post(what, body) {
  const answer = await fetch(`${link}/${what}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const read = await answer.json()
  if (!answer.ok) throw Object.assign(new Error(read.message), { errors: read.errors ?? [] })
  return read
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const name = form.elements.name.value.trim()
  const colour = form.elements.colour.value
  complain('', [])
  form.querySelector('button').disabled = true
  try {
    const { visit } = await post('join', {
      name,
      level: Number(form.elements.level.value),
      guest: form.elements.guest.checked,
      skin: { layers: [], bc: Number.parseInt(colour.slice(1), 16) },
    })
    remember({ visit, name })
    element('leave').focus()
    await read()
  } catch (problem) {
    complain(problem.errors?.map((e) => e.message).join(' ') || problem.message, problem.errors ?? [])
  } finally {
    form.querySelector('button').disabled = false
  }
})

function complain(text, errors) {
  element('problem').textContent = text
  const wrong = new Set(errors.map((e) => e.field))
  for (const field of ['name', 'level']) {
    form.elements[field].setAttribute('aria-invalid', String(wrong.has(field)))
  }
}

element('leave').addEventListener('click', async () => {
  try {
    await post('leave', { visit: guestOfPage.visit })
  } catch {
    // Not inside any more: the same to who wants to leave.
  }
  remember(null)
  form.elements.name.focus()
})

async function read() {
  const answer = await fetch(`${link}/messages`)
  if (answer.status === 404) open = false
  if (answer.ok) {
    open = answer.headers.get('Room-State') === 'open'
    const messages = await answer.json()
    for (const message of messages.slice(shown)) element('chat').append(line(message))
    shown = messages.length
    element('silence').hidden = shown > 0
  }
  show()
}

// line shows six digits so that they are easily copied.
function line(message) {
  const item = document.createElement('li')
  const from = document.createElement('span')
  from.className = 'from'
  from.textContent = `${message.from}:`
  const text = document.createElement('span')
  for (const part of message.text.split(/\b(\d{6})\b/)) {
    if (/^\d{6}$/.test(part)) {
      const code = document.createElement('strong')
      code.className = 'code'
      code.textContent = part
      text.append(code)
    } else {
      text.append(part)
    }
  }
  const at = document.createElement('time')
  at.dateTime = message.at
  at.textContent = new Date(message.at).toLocaleTimeString()
  item.append(from, text, ' ', at)
  return item
}

async function poll() {
  try {
    await read()
  } catch {
    // The bot is away for a moment: the next round asks again.
  }
  if (open) setTimeout(poll, pollEvery)
}

show()
poll()
