import type { ComponentProps } from 'react'
import { Link, type LinkProps } from 'react-router'
import { cx } from '@/shared/lib/cx'
import styles from './Button.module.css'
import { Spinner } from './Spinner'

interface Look {
  // A field's look has the ground of the fields that it stands beside.
  look?: 'solid' | 'subtle' | 'outline' | 'ghost' | 'field' | 'alarm'
  size?: 'xs' | 'sm' | 'md' | 'lg'
  shape?: 'plain' | 'square' | 'round'
}

interface ButtonProps extends Look, ComponentProps<'button'> {
  // Shows that it is at work, and takes no press meanwhile.
  busy?: boolean
}

export function Button({ look, size, shape, busy, disabled, className, children, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      className={cx(classes({ look, size, shape }), className)}
      disabled={disabled || busy}
      {...props}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

// IconButton is as wide as high; its label says what the icon shows.
export function IconButton(props: Omit<ButtonProps, 'shape'> & { 'aria-label': string }) {
  return <Button shape="square" {...props} />
}

// ButtonLink looks like a button and goes to a page of the site.
export function ButtonLink({ look, size, className, ...props }: Omit<Look, 'shape'> & LinkProps) {
  return <Link className={cx(classes({ look, size }), className)} {...props} />
}

function classes({
  look = 'solid',
  size = 'md',
  shape = 'plain',
}: Partial<Record<keyof Look, string | undefined>>) {
  return cx(styles.button, styles[size], styles[look], shape !== 'plain' && styles[shape])
}
