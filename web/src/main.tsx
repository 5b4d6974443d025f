import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { refreshSession } from './api/refresh'
import { App } from './app/App'
import { makeStore } from './store/store'
import './index.css'
import './ui/theme/fonts.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')

// The session is asked for first, while the rest is prepared.
const store = makeStore()
const session = refreshSession(store)
// The browser paints and handles input before the page is rendered.
await new Promise((resolve) => setTimeout(resolve))
createRoot(root).render(
  <StrictMode>
    <App store={store} session={session} />
  </StrictMode>,
)
