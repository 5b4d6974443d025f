import type { ReactNode } from 'react'
import { EmptyState } from './index'

interface Props {
  title: string
  hint?: string | undefined
  children?: ReactNode
}

/** States that there is nothing to show, and offers what to do next. */
export function EmptyMessage({ title, hint, children }: Props) {
  return (
    <EmptyState.Root borderWidth="1px" borderStyle="dashed" rounded="l3" px="4">
      <EmptyState.Content textAlign="center" gap="3">
        <svg viewBox="0 0 120 60" width="120" height="60" aria-hidden="true" fill="none" strokeLinecap="round">
          <path d="M8 48h40M72 48h40" stroke="var(--chakra-colors-border-emphasized)" strokeWidth="6" />
          <path d="M34 34Q60 -6 84 30" stroke="var(--chakra-colors-fg-subtle)" strokeWidth="2" strokeDasharray="1 7" />
          <circle cx="34" cy="36" r="9" fill="var(--chakra-colors-brand-solid)" opacity="0.8" />
        </svg>
        <EmptyState.Title textStyle="md" fontWeight="semibold">
          {title}
        </EmptyState.Title>
        {hint && <EmptyState.Description textStyle="md">{hint}</EmptyState.Description>}
        {children}
      </EmptyState.Content>
    </EmptyState.Root>
  )
}
