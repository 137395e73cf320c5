/** Bricks on their way into a drawer. */
export function Bricks() {
  return (
    <svg aria-hidden="true" viewBox="0 0 200 140" className="h-auto w-48 shrink-0">
      <g strokeWidth="2" strokeLinejoin="round" stroke="var(--edge)">
        <path d="M20 78h160v50H20z" fill="var(--sunken)" />
        <path d="M20 78l14-18h132l14 18z" fill="var(--surface)" />
        <path d="M86 98h28v10H86z" fill="var(--surface)" />
        <g fill="var(--accent)">
          <path d="M52 42h44v22H52z" />
          <path d="M58 42v-6h10v6M80 42v-6h10v6" />
        </g>
        <g fill="var(--type-set)">
          <path d="M104 46h30v18h-30z" />
          <path d="M108 46v-5h8v5M122 46v-5h8v5" />
        </g>
        <g fill="var(--warning)">
          <path d="M78 10h30v16H78z" />
          <path d="M82 10V5h8v5M96 10V5h8v5" />
        </g>
      </g>
    </svg>
  );
}
