import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { makeStore } from './app/store'
import './shared/theme/fonts.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')

createRoot(root).render(
  <StrictMode>
    <App store={makeStore()} />
  </StrictMode>,
)
