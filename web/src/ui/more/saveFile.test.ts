import { expect, it, vi } from 'vitest'
import { saveFile } from './saveFile'

it('saves a file under its name, and releases its address once the download has begun', () => {
  const saved: [string, string][] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.href, this.download])
  })
  URL.createObjectURL = vi.fn(() => 'blob:replay')
  URL.revokeObjectURL = vi.fn()
  vi.useFakeTimers()
  saveFile(new Blob(['a replay']), 'run.lbReplay')
  expect(saved).toEqual([['blob:replay', 'run.lbReplay']])
  expect(URL.revokeObjectURL).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(URL.revokeObjectURL).toHaveBeenCalledExactlyOnceWith('blob:replay')
})
