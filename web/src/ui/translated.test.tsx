import { Trans } from '@lingui/react/macro'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, onTestFinished } from 'vitest'
import { renderPart } from '@/test/render'
import { translatePage } from '@/test/translatePage'
import { Button, Name } from './index'

function Pages() {
  const [page, setPage] = useState(1)
  const [loading, setLoading] = useState(false)
  return (
    <>
      <p>
        <Trans>
          Page {page} of 15, by <Name>cloudstep</Name>
        </Trans>
      </p>
      <Button loading={loading} loadingText="Sending…" onClick={() => setLoading(true)}>
        Send
      </Button>
      <Button onClick={() => setPage(page + 1)}>
        <Trans>Next</Trans>
      </Button>
    </>
  )
}

it('is as it was on a page that the browser translates, and nothing on it is stale', async () => {
  const { user, container } = renderPart(<Pages />)
  onTestFinished(translatePage())
  expect(screen.getByText('cloudstep')).toBe(container.querySelector('bdi'))
  expect(container.querySelectorAll('font font')).not.toHaveLength(0)
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(container.querySelector('p')).toHaveTextContent('Page 2 of 15, by cloudstep')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(screen.getByRole('button', { name: 'Sending…' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(container.querySelector('p')).toHaveTextContent('Page 3 of 15, by cloudstep')
})
