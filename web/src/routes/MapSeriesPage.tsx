import { ComingSoon } from '@/shared/components/ComingSoon'

export function Component() {
  return (
    <ComingSoon
      title="Map Series"
      text="Maps that belong together, raced one after the other, with one clock for all of them. We are still building this."
    />
  )
}
