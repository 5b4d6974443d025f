import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { lazyPart } from './lazyPart'
import { nextPaint } from './usePainted'

const Loaded = ({ name }: { name: string }) => <p>Points of {name}</p>
const Other = ({ name }: { name: string }) => <p>No points of {name}</p>

test('requests the code of a part after the page has been painted', async () => {
  const load = vi.fn(async () => ({ default: Loaded }))
  const Part = lazyPart(load)
  render(
    <Suspense fallback={<p>Loading</p>}>
      <Part name="Ada" />
    </Suspense>,
  )

  await nextPaint()
  expect(load).not.toHaveBeenCalled()
  expect(screen.getByText('Loading')).toBeVisible()

  expect(await screen.findByText('Points of Ada')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(1)
})

test('shows the other component where the code cannot be loaded', async () => {
  const Part = lazyPart<{ name: string }>(async () => {
    throw new Error('The network is down.')
  }, Other)
  render(
    <Suspense>
      <Part name="Ada" />
    </Suspense>,
  )

  expect(await screen.findByText('No points of Ada')).toBeVisible()
})

test('shows nothing where there is no other component', async () => {
  const Part = lazyPart<{ name: string }>(async () => {
    throw new Error('The network is down.')
  })
  const { container } = render(
    <Suspense fallback={<p>Loading</p>}>
      <Part name="Ada" />
    </Suspense>,
  )

  await vi.waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
  expect(container).toBeEmptyDOMElement()
})
