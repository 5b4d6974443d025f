import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { makeStore } from './app/store'
import { refreshSession } from './shared/api/refresh'
import { theSystem } from './shared/theme/system'
import './shared/theme/fonts.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')

// The session is asked for first, and answers while the rest gets ready. That comes in pieces, between which the browser
// draws and listens to the visitor.
const store = makeStore()
const session = refreshSession(store)
await pause()
theSystem()
await pause()
createRoot(root).render(
  <StrictMode>
    <App store={store} session={session} />
  </StrictMode>,
)

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
