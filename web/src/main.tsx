import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { makeStore } from './app/store'
import { refreshSession } from './shared/api/refresh'
import 'virtual:theme.css'
import './shared/theme/fonts.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')

// The session is asked for first, and answers while the rest gets ready.
const store = makeStore()
const session = refreshSession(store)
// The browser draws, and listens to the visitor, before the page is made.
await new Promise((resolve) => setTimeout(resolve))
createRoot(root).render(
  <StrictMode>
    <App store={store} session={session} />
  </StrictMode>,
)
