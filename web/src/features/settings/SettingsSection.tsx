import { type Elements, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'

interface Props {
  title: string
  hint?: string
  children: Elements
}

/** A page of settings with its heading. */
export function SettingsSection({ title, hint, children }: Props) {
  usePageTitle(title)
  return (
    <div>
      <PageHeading {...(hint && { hint })}>{title}</PageHeading>
      <Stack gap="6" maxW="4xl" mt={hint ? '0' : '6'}>
        {children}
      </Stack>
    </div>
  )
}
